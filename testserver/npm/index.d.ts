/** A survey, question or event in the names of the service, with whatever else it has. */
export interface Survey { id: string; name: string; type: string; questions: Question[]; start_date: string | null; end_date: string | null; [name: string]: unknown }
export interface Question { id?: string; type: string; question: string; [name: string]: unknown }
export interface Event { uuid: string; event: string; survey_id?: string; at: string; distinct_id: string; properties: Record<string, unknown> }

/** A survey to create: in the names of the service or of the provider's attributes, by default a popover and a draft. */
export interface NewSurvey { name: string; type?: string; status?: "draft" | "running"; questions?: Question[]; [name: string]: unknown }

/** A submission of a survey, by the texts of its questions. */
export interface Submission { distinctId: string; at: string; answers: Record<string, unknown> }

/** Whether a person is offered a survey, why not, and what has to happen in the app before it appears. */
export interface Person { distinct_ids: string[]; offered: boolean; reasons: string[]; in_the_app?: string[] }

/** A survey by its object, its id or its name. */
export type SurveyOf = string | { id: string };

/** What one test sees of a server. Where a promise is rejected, the error has what the service says. */
export interface World extends AsyncDisposable {
  readonly url: string;
  /** The key of the management interface, and the token of posthog.init. */
  readonly apiKey: string;
  readonly projectToken: string;
  readonly projectId: string;
  /** Resolves when the world is there; its methods wait for that themselves. */
  readonly opened: Promise<void>;
  /** Options of posthog.init. */
  init(): { api_host: string; opt_out_useragent_filter: true };
  surveys: {
    create(survey: NewSurvey): Promise<Survey>;
    list(): Promise<Survey[]>;
    launch(survey: SurveyOf): Promise<Survey>;
    stop(survey: SurveyOf): Promise<Survey>;
  };
  /** The events that are selected, oldest first, $feature_flag_called and an app's own captures among them. With wait, such as "5s", as soon as there is one. */
  events(filter?: { survey?: SurveyOf; event?: string; distinctId?: string; wait?: string }): Promise<Event[]>;
  /** The submissions, as soon as there is one, by default after at most 10s. */
  answers(survey: SurveyOf, options?: { wait?: string }): Promise<Submission[]>;
  people: {
    add(distinctId: string, properties?: Record<string, unknown>): Promise<Record<string, unknown>>;
    of(survey: SurveyOf, distinctId: string): Promise<Person>;
    of(survey: SurveyOf): Promise<Person[]>;
  };
  /** A clock that is set stands still, and the jobs of the service have run: recurring surveys are in their present iteration. */
  clock: { set(instant: Date | string | number): Promise<void> };
  faults: { set(rules: object | object[]): Promise<void>; clear(): Promise<void> };
  /** The requests so far. */
  journal(): Promise<Record<string, unknown>[]>;
  /** Whether an app has asked for the surveys and sent events, and who is not asked, and why: a text each. */
  reasons(): Promise<string[]>;
  /** Updates that detach answers, unknown fields, faults that never hit, surveys that nobody was shown. */
  problems(): Promise<Record<string, unknown>>;
  /** Back to the contents of the start. */
  reset(): Promise<void>;
  /** Drops the world; of a server, ends it. */
  close(): Promise<void>;
}

export interface Server extends World {
  /** A world that no other test sees: a copy of the contents of the start. */
  world(name: string): World;
}

export interface StartOptions {
  /** hosted unless it is given. */
  profile?: "hosted" | "documented";
  /** The path of a fixtures document, or the document. */
  fixtures?: string | object;
  /** The path of a snapshot of posthog-sync, or surveys that each world begins with. */
  surveys?: string | NewSurvey[];
  clock?: Date | string | number;
}

/** Starts a server on a free port, which ends with this process, however that ends. */
export function start(options?: StartOptions): Promise<Server>;
