// The answers of the operator's routes of workflows, as far as they are printed.

export type Problem = { nodeId: string | null; code: string; message: string };
export type Started = { id: string; status: string; problems: Problem[]; warnings: Problem[] };
export type Paused = { id: string; status: string; pausedAt: string | null; queuesUntil: string | null };

type Counts = Readonly<Record<string, number>>;
export type StatusNode = {
  nodeId: string;
  typeName: string;
  text: string;
  waiting: number;
  due: number;
  nextWake: string | null;
  mails?: Counts;
};
export type Status = {
  id: string;
  name: string;
  status: string;
  pausedAt: string | null;
  queuesUntil: string | null;
  entered: number;
  active: number;
  ended: Counts;
  dropped: Counts;
  /** True while a change of the graph is being applied to contacts who wait. */
  sweeping?: boolean;
  nodes: StatusNode[];
};

type Reason = { code: string; text: string };
type Line = { at: string; nodeId?: string | null; text: string };
export type Story = {
  contact: { id: string; email: string | null; userId: string | null };
  runs: (Reason & { run: number; enteredAt: string; lines: Line[] })[];
  entry: Reason & { lines?: Line[] };
};

export type Simulated = {
  entered: boolean;
  reason?: Reason;
  lines: (Line & { day: number })[];
  mails: { at: string; day?: number; subject: string; text?: string }[];
  end: Reason | null;
};

export type DryRun = {
  from: string;
  until: string;
  events: number;
  entered: number;
  notEntered: Counts;
  mails: { nodeId: string; subject: string; count: number; notSent: number }[];
  ended: Counts;
  waiting: { nodeId: string; text: string; count: number }[];
  contacts: { id: string; email: string | null; text: string }[];
  notes: string[];
};

type Version = { revision: string; at: string; ran: boolean };
export type Difference = {
  from: Version;
  to: Version;
  changes: { nodeId: string | null; text: string }[];
  impact: { nodeId: string | null; code: string; text: string; contacts: number }[];
  waiting: number;
  text: string;
};
