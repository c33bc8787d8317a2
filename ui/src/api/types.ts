// Short names for what the API's description calls by long ones.
import type { components } from "./schema";

type Schemas = components["schemas"];

/** One that happened, or of history one that stands for several: see `settled` of the events route. */
export type Event = Schemas["Event"] & {
  /** The first of those it stands for. */
  began?: { seq: number; at: string };
  /** The one before it in its stream, if numbers were passed over. */
  after?: number;
};
export type EventType = Event["type"];
export type Lifecycle = Schemas["Lifecycle"];
export type SessionSummary = Schemas["Summary"];
export type SessionDetail = Schemas["SessionDetail"];
export type Settings = Schemas["Settings"];
export type CreateSession = Schemas["CreateSession"];
export type PatchSession = Schemas["PatchSession"];
export type SendMessage = Schemas["SendMessage"];
export type InputPart = Schemas["InputPart"];
export type MessagePart = Schemas["MessagePart"];
export type MessageState = Schemas["MessageState"];
export type Receipt = Schemas["Receipt"];
export type BusyPolicy = Schemas["BusyPolicy"];
export type PendingApproval = Schemas["PendingApproval"];
export type ApprovalKind = Schemas["ApprovalKind"];
export type AnswerApproval = Schemas["AnswerApproval"];
export type Decision = Schemas["Decision"];
export type Usage = Schemas["Usage"];
export type Failure = Schemas["Failure"];
export type FileDiff = Schemas["FileDiff"];
export type PlanStep = Schemas["PlanStep"];
export type GitFacts = Schemas["GitFacts"];
export type Model = Schemas["Model"];
export type BackendFound = Schemas["BackendFound"];
export type Account = Schemas["Account"];
export type Named = Schemas["Named"];
export type Problem = Schemas["Problem"];
