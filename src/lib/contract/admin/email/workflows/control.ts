import * as z from "zod";
import { page, paginated, resourceId } from "../../../fields.ts";
import { act, read } from "../../../operation.ts";
import { flag, team } from "../email-fields.ts";

const status = z.enum(["Draft", "Sending", "Paused", "PausedAndQueueing"]);

const problem = z.object({ nodeId: z.string().nullable(), code: z.string(), message: z.string() });

/** `problems`: filled only by a dry run. Otherwise they are in the error. */
const started = z.object({ id: z.string(), status, problems: z.array(problem), warnings: z.array(problem) });

const counts = z.record(z.string(), z.int());

/**
 * `due`: waiting contacts that continue now. `passedLastDay`: last 24 hours, by whole hours. `left`: exits at this
 * node, by reason. `mails`: of a SendEmailAction, by state.
 */
const nodeStatus = z.object({
  nodeId: z.string(),
  typeName: z.string(),
  text: z.string(),
  waiting: z.int(),
  due: z.int(),
  nextWake: z.string().nullable(),
  passed: z.int(),
  passedLastDay: z.int(),
  left: counts,
  edges: z.array(z.object({ nodeId: z.string(), passed: z.int() })),
  mails: z
    .object({
      queued: z.int(),
      held: z.int(),
      sent: z.int(),
      notSent: z.int(),
      failed: z.int(),
      unknown: z.int(),
    })
    .optional(),
});

const workflowId = resourceId;
const one = z.strictObject({ team, workflowId });
const start = z.strictObject({ team, workflowId, dryRun: flag.default(false) });

const path = (rest: string) => `/teams/{team}/workflows/{workflowId}${rest}` as const;

const ofOne = { method: "POST", request: one, status: 200, refusals: [400, 404], body: false } as const;

export const control = {
  list: read("viewer", {
    path: "/teams/{team}/workflows",
    summary: "List workflows with their status, newest first",
    request: z.strictObject({ team, ...page }),
    response: paginated(
      z.object({
        id: z.string(),
        name: z.string(),
        status,
        waiting: z.int(),
        createdAt: z.string(),
        updatedAt: z.string(),
      }),
    ),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", perPage: "20" },
  }),

  start: act("editor", {
    method: "POST",
    path: path("/start"),
    summary: "Start a workflow, or say everything that it lacks",
    danger: false,
    dryRun: false,
    request: start,
    response: started,
    status: 200,
    refusals: [400, 404],
    mayBeEmpty: true,
    example: { team: "acme", workflowId: "wfl_1", dryRun: true },
  }),

  resume: act("editor", {
    method: "POST",
    path: path("/resume"),
    summary: "Resume a paused workflow",
    danger: false,
    dryRun: false,
    request: start,
    response: started,
    status: 200,
    refusals: [400, 404],
    mayBeEmpty: true,
    example: { team: "acme", workflowId: "wfl_2", dryRun: true },
  }),

  /** `queuesUntil`: null if new contacts are not queued. */
  pause: act("editor", {
    ...ofOne,
    path: path("/pause"),
    summary: "Pause a workflow; new contacts are queued for 24 hours",
    danger: false,
    response: z.object({
      id: z.string(),
      status,
      pausedAt: z.string().nullable(),
      queuesUntil: z.string().nullable(),
    }),
    example: { team: "acme", workflowId: "wfl_2" },
  }),

  stop: act("editor", {
    ...ofOne,
    path: path("/stop"),
    summary: "Pause a workflow without queueing new contacts",
    danger: false,
    response: z.object({ id: z.string(), status }),
    example: { team: "acme", workflowId: "wfl_2" },
  }),

  /**
   * `entered`: all runs, active and `ended`. `dropped`: triggers without an entry, by reason. `sweeping`: an edit is
   * still applied to waiting contacts. `passedSince`: null if the counts are complete.
   */
  status: read("viewer", {
    path: path("/status"),
    summary: "Count the contacts and the mails of a workflow, node by node",
    request: one,
    response: z.object({
      id: z.string(),
      name: z.string(),
      status,
      workflowRevisionId: z.string(),
      pausedAt: z.string().nullable(),
      queuesUntil: z.string().nullable(),
      entered: z.int(),
      active: z.int(),
      ended: counts,
      dropped: counts,
      sweeping: z.boolean(),
      passedSince: z.string().nullable(),
      nodes: z.array(nodeStatus),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", workflowId: "wfl_1" },
  }),

  /** `contact`: its id, address or userId. It may enter again if the trigger is reEligible. */
  remove: act("support", {
    ...ofOne,
    path: path("/contacts/{contact}/remove"),
    summary: "Take a contact out of a workflow",
    danger: true,
    request: one.extend({ contact: z.string().max(500, "must be at most 500 characters") }),
    response: z.object({ removed: z.int() }),
    example: { team: "acme", workflowId: "wfl_1", contact: "ada@example.com" },
  }),
};
