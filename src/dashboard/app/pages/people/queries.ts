import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { readEach, useScan } from "../../parts/scan.ts";
import type { Moment } from "../../story/chapters.ts";
import { type Named, namedBy, otherNames } from "../../story/names.ts";
import type { StoryMail, StoryWebhook } from "../../story/story-types.ts";
import type { Subject } from "../../story/subject.ts";
import type { Team } from "../../team/team.tsx";

export type Contact = Awaited<ReturnType<Team["v1"]["contacts"]["find"]>>[number];

const idOf = ({ id }: { id: string }): string => id;
const WEBHOOKS = 20;
const MAILS = 50;

export type KnownPerson = Awaited<ReturnType<typeof api.bridge.people.get>>;

/** Bridge data of a person, or null. Same conditions as `useWebhooks`. */
export const useKnown = (team: Team, subject: Subject) => {
  const { bridge } = useAbout();
  const isThere = bridge !== null && team.bridge;
  return useQuery({
    // A disabled query keeps data of the earlier team.
    queryKey: ["bridge", "people", subject, isThere],
    queryFn: async ({ signal }) => {
      // The bridge takes one identifier.
      const ways = "email" in subject ? [subject] : [{ userId: subject.userId }, { ref: subject.ref }];
      for (const way of ways) {
        try {
          return await api.bridge.people.get(way, { signal });
        } catch (error) {
          if (!(error instanceof RequestError && error.status === 404)) throw error;
        }
      }
      return null;
    },
    enabled: isThere,
    ...LATER,
  });
};

/** The contact by URL identifier or webhook data, or null. */
export const useContact = (team: Team, subject: Subject, known: KnownPerson | undefined) => {
  const find = (named: Named, signal: AbortSignal) => team.v1.contacts.find(named, { signal });
  const direct = useQuery({
    queryKey: ["v1", team.id, "contact", subject],
    queryFn: async ({ signal }) => (await find(namedBy(subject), signal))[0] ?? null,
    enabled: team.unreachable === undefined,
    ...LATER,
  });
  const others = otherNames(subject, known);
  const told = useQuery({
    queryKey: ["v1", team.id, "contact", others],
    queryFn: async ({ signal }) => {
      for (const named of others) {
        const [contact] = await find(named, signal);
        if (contact) return contact;
      }
      return null;
    },
    enabled: others.length > 0 && direct.data === null,
    ...LATER,
  });
  return {
    data: direct.data ?? told.data,
    error: direct.error ?? told.error,
    dataUpdatedAt: direct.data ? direct.dataUpdatedAt : told.dataUpdatedAt,
    isLoading: direct.isLoading || told.isLoading,
    refetch: () => Promise.all([direct.refetch(), others.length > 0 && told.refetch()]),
  };
};

/** Webhooks, newest first. No request without a bridge or if it serves another team. */
export const useWebhooks = (team: Team, subject: Subject) => {
  const { bridge } = useAbout();
  const isThere = bridge !== null && team.bridge;
  const scan = useScan<StoryWebhook>(
    ["bridge", "webhooks", "of", subject, isThere],
    async (cursor, signal) =>
      isThere ? api.bridge.webhooks.search({ ...subject, cursor, limit: "20" }, { signal }) : { data: [], next: null },
    { rows: WEBHOOKS, idOf },
  );
  return { ...scan, isThere };
};

/** Mails, newest first. Another email service has no such list. */
export const useMails = (team: Team, addresses: readonly string[]) => {
  const isThere = team.id !== undefined && addresses.length > 0;
  // Several addresses share the limit of one answer.
  const perPage = String(Math.max(10, Math.floor(MAILS / Math.max(1, addresses.length))));
  const scan = useScan<StoryMail>(
    ["email", team.id, "sends", "to", addresses],
    readEach(isThere ? addresses : [], (to, cursor, signal) =>
      api.email.sends.list({ team: team.id ?? "", to, cursor, perPage }, { signal }),
    ),
    { rows: MAILS, idOf },
  );
  const found = scan.found.toSorted((a, b) => Date.parse(b.acceptedAt) - Date.parse(a.acceptedAt));
  return { ...scan, found, isThere };
};

const MOMENTS = 50;

/** History of a contact: changes, events, workflows and mail steps. */
export const useMoments = (
  team: Team,
  contact: Contact | undefined,
  { kind, cursor: from }: { kind?: "event" | "workflow"; cursor?: string | undefined } = {},
) => {
  const isThere = team.id !== undefined && contact !== undefined;
  const scan = useScan<Moment>(
    ["email", team.id, "timeline", contact?.id, kind],
    async (cursor, signal) => {
      if (!isThere) return { data: [], next: null };
      const fields = { team: team.id ?? "", contact: contact.id, kind, cursor, perPage: "50" };
      const { data, next } = await api.email.contacts.timeline(fields, { signal });
      return {
        next,
        data: data.map(({ ids, ...one }) => ({ ...one, ids: Object.values(ids) })),
      };
    },
    { rows: MOMENTS, cursor: from, idOf: ({ at, kind: what, text }) => `${at} ${what} ${text}` },
  );
  return { ...scan, isThere };
};

/** Suppression of a contact; null if unknown, such as without an address. */
export const useSuppression = (team: Team, address: string | undefined) =>
  useQuery({
    queryKey: ["v1", team.id, "suppression", address],
    queryFn: () => team.v1.suppression.get({ email: address ?? "" }),
    enabled: address !== undefined,
    retry: false,
  });

/** Counts, consent and tracking of a contact. Another email service does not know it. */
export const useAboutContact = (team: Team, contact: Contact | undefined) =>
  useQuery({
    queryKey: ["email", team.id, "contact", contact?.id, "about"],
    queryFn: ({ signal }) =>
      api.email.contacts.get(
        { team: team.id ?? "", contact: contact?.email ?? contact?.userId ?? contact?.id ?? "" },
        { signal },
      ),
    enabled: team.id !== undefined && contact !== undefined,
    retry: false,
  });

export const useLists = (team: Team) =>
  useQuery({ queryKey: ["v1", team.id, "lists"], queryFn: () => team.v1.lists.list({}) });

export const useProperties = (team: Team) =>
  useQuery({ queryKey: ["v1", team.id, "properties"], queryFn: () => team.v1.contactProperties.list({}) });
