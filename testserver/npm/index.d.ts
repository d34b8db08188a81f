/** A survey as PostHog returns it. It has more fields than these. */
export interface Survey { id: string; name: string; type: string; questions: Question[]; start_date: string | null; end_date: string | null; [name: string]: unknown }
/** A question of a survey. */
export interface Question { id?: string; type: string; question: string; [name: string]: unknown }
/** An event that an app sent. */
export interface Event { uuid: string; event: string; survey_id?: string; at: string; distinct_id: string; properties: Record<string, unknown> }

/**
 * A survey to create. Its fields have the names of PostHog's API or of the Terraform provider's attributes.
 * The type defaults to "popover", and the status to "draft".
 */
export interface NewSurvey { name: string; type?: string; status?: "draft" | "running"; questions?: Question[]; [name: string]: unknown }

/** A response to a survey. Its answers are keyed by the text of the question. */
export interface Submission { distinctId: string; at: string; answers: Record<string, unknown> }

/**
 * Whether a person is offered a survey, the reasons why not, and what must happen in the app before it appears.
 * The warnings are problems with what the app sent about the person.
 */
export interface Person { distinct_ids: string[]; offered: boolean; reasons: string[]; in_the_app?: string[]; warnings?: string[] }

/** The problems of a run. A world and a sequence identify a request in a journal. Without a world, it is that of the server. */
export interface Report {
  requests: number;
  undocumented_fields: { operation: string; path: string; times: number; world?: string; sequence: number; read_only?: boolean }[];
  /** Faults that no request matched. */
  unused_faults: { rule: Record<string, unknown>; matches: number; world?: string }[];
  /** Updates after which responses belong to no question. */
  detached_answers: {
    world?: string; sequence: number; time: string; operation: string; survey_id: string; survey_name: string;
    questions: { id: string; text: string }[]; responses: number;
  }[];
  /** Events "survey sent" whose answers are lost, or after which the person is asked again. */
  survey_events: { world?: string; sequence: number; survey_id: string; problem: string; is_lost: boolean; times: number }[];
  /** Surveys that apps received and did not show. */
  never_shown: { world?: string; survey_id: string; survey_name: string }[];
  /** Surveys over which posthog-js throws, so that it shows no survey. */
  hides_all: { world?: string; survey_id: string; survey_name: string; reason: string }[];
}

/** A survey, or its ID or name. */
export type SurveyOf = string | { id: string };

/** Surveys, persons, events, faults, and a clock that no other world of the server shares. A promise is rejected with the server's error message. */
export interface World extends AsyncDisposable {
  /** The URL of the server. */
  readonly url: string;
  /** The key for PostHog's API. */
  readonly apiKey: string;
  /** The token for posthog.init. */
  readonly projectToken: string;
  /** The ID of the project that has the surveys. */
  readonly projectId: string;
  /** Resolves when the world exists. Methods wait for it themselves. */
  readonly opened: Promise<void>;
  /** Returns the options for posthog.init in a test. */
  init(): { api_host: string; opt_out_useragent_filter: true };
  surveys: {
    /** Creates a survey, and launches it if its status is "running". */
    create(survey: NewSurvey): Promise<Survey>;
    list(): Promise<Survey[]>;
    launch(survey: SurveyOf): Promise<Survey>;
    stop(survey: SurveyOf): Promise<Survey>;
  };
  /**
   * Returns the events that match a filter, oldest first. They include $feature_flag_called and the app's own events.
   * With wait, such as "5s", returns as soon as there is one, and an empty array after that time.
   */
  events(filter?: { survey?: SurveyOf; event?: string; distinctId?: string; wait?: string }): Promise<Event[]>;
  /** Returns the responses to a survey as soon as there is one, and an empty array after wait, which defaults to "10s". */
  answers(survey: SurveyOf, options?: { wait?: string }): Promise<Submission[]>;
  people: {
    /** Adds a person with properties for targeting. The properties of a person who exists are merged. */
    add(distinctId: string, properties?: Record<string, unknown>): Promise<Record<string, unknown>>;
    /** Returns whether a person is offered a survey, and why not. Without an ID, returns all known persons. */
    of(survey: SurveyOf, distinctId: string): Promise<Person>;
    of(survey: SurveyOf): Promise<Person[]>;
  };
  /** Stops the clock at an instant. Surveys that recur are then in the iteration of that instant. */
  clock: { set(instant: Date | string | number): Promise<void> };
  /** Sets or clears the faults that the server injects. */
  faults: { set(rules: object | object[]): Promise<void>; clear(): Promise<void> };
  /** Returns the requests that reached the server. */
  journal(): Promise<Record<string, unknown>[]>;
  /** Returns how far the app has come, and for each survey and person why it is not offered. */
  reasons(): Promise<string[]>;
  /** Returns updates that detach answers, lost answers, unknown fields, faults that never took effect, and surveys that were never shown. */
  problems(): Promise<Report>;
  /** Restores the world to what it was at the start. */
  reset(): Promise<void>;
  /** Drops the world. On a server, stops the server. */
  close(): Promise<void>;
}

export interface Server extends World {
  /**
   * Returns a world that starts as a copy of what the server started with. The name has 1 to 100 letters, digits, dots,
   * hyphens, and underscores.
   */
  world(name: string): World;
}

export interface StartOptions {
  /** How the server behaves: as PostHog's cloud, or as its documentation says. Defaults to "hosted". */
  profile?: "hosted" | "documented";
  /** A fixtures document, or the path of one. */
  fixtures?: string | object;
  /**
   * Surveys that each world starts with: an array, the path of a YAML file, or the path of a snapshot of posthog-sync.
   * A YAML file requires the package @surveys-as-code/posthog-sync, or posthog-sync in PATH.
   */
  surveys?: string | NewSurvey[];
  /** The instant at which the clock stands still. Defaults to the time of the machine, which passes. */
  clock?: Date | string | number;
}

/** Starts a server on a free port. It ends with this process, even if the process is killed. */
export function start(options?: StartOptions): Promise<Server>;
