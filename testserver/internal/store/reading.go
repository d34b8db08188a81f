package store

import "github.com/google/uuid"

// Survey is the survey with an id in any project; nil when there is none.
func (st *Store) Survey(id uuid.UUID) *Survey { return st.surveys[id] }

// SurveyNamed is the survey of a project with a name; nil when there is none.
func (st *Store) SurveyNamed(project int64, name string) *Survey {
	return st.surveys[st.names[surveyName{project, name}]]
}

// SurveysOf are the surveys of a project.
func (st *Store) SurveysOf(project int64) *Timeline[*Survey] { return st.surveysByProject[project] }

// AppsOf are the apps that belong to an organization.
func (st *Store) AppsOf(organization uuid.UUID) *Timeline[*App] {
	return st.appsByOrganization[organization]
}

// LogOf is the activity log of a project, oldest first.
func (st *Store) LogOf(project int64) []LogEntry { return st.activity[project] }

// NextFlag is the id of the next flag.
func (st *Store) NextFlag() int64 { return st.lastFlag + 1 }

// NextApp is the id of the next app.
func (st *Store) NextApp() int64 { return st.lastApp + 1 }
