// Short names for what the API's description calls by long ones.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Event = Schemas["Event"];
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
