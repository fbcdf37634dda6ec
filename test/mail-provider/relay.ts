export type Peer = {
  read(): Promise<Uint8Array | undefined>;
  send(data: string | Uint8Array): Promise<void>;
  drop(): void;
  secure(): Promise<void>;
};

export type Stage = "greeting" | "EHLO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "block" | "end" | "RSET";

/** The mail provider's unusual answer at a stage: a reply, a dropped connection, or silence. */
export type Answer = "drop" | "stall" | `${number}${string}` | ((peer: Peer) => Promise<void>);

export type Behavior = {
  /** Keywords of EHLO. In clear text STARTTLS is added, unless `noStartTls`. */
  keywords?: readonly string[];
  noStartTls?: boolean;
  login?: { user: string; password: string };
  at?: Partial<Record<Stage, Answer | readonly (Answer | undefined)[]>>;
  rcpt?: (address: string) => string | undefined;
  /** Ms before the answer to each mail. */
  delay?: number;
};

export type Received = { from: string; to: string[]; data: Uint8Array };

export type Seen = { connections: number; lines: { text: string; tls: boolean }[]; mails: Received[] };

const KEYWORDS = ["PIPELINING", "SIZE 1000000", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES"];

const USUAL: Record<Stage, string> = {
  greeting: "220 relay.test ESMTP",
  EHLO: "",
  STARTTLS: "220 2.0.0 ready",
  AUTH: "235 2.7.0 welcome",
  MAIL: "250 2.1.0 ok",
  RCPT: "250 2.1.5 ok",
  DATA: "354 go on",
  block: "",
  end: "250 2.0.0 queued as 4F3A",
  RSET: "250 2.0.0 ok",
};

const CRLF = "\r\n";
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

/** A small SMTP server that accepts every mail, except as `behavior` says. */
export const createMailProvider = (behavior: Behavior = {}, encrypted = false) => {
  const seen: Seen = { connections: 0, lines: [], mails: [] };
  const used = new Map<Stage, number>();
  const answerAt = (stage: Stage): Answer | undefined => {
    const given = behavior.at?.[stage];
    if (!Array.isArray(given)) return given as Answer | undefined;
    const n = used.get(stage) ?? 0;
    used.set(stage, n + 1);
    return given[n];
  };

  const serve = async (peer: Peer): Promise<void> => {
    seen.connections++;
    let tls = encrypted;
    let buffer = "";
    let mail: Received | undefined;
    let ended = false;
    const end = () => {
      ended = true;
      peer.drop();
    };
    const answer = async (stage: Stage, usual = USUAL[stage]): Promise<string | undefined> => {
      const given: Answer | "" = answerAt(stage) ?? (usual as Answer | "");
      if (given === "drop") end();
      else if (given === "stall") ended = true;
      else if (typeof given === "function") {
        await given(peer);
        ended = true;
      } else if (given !== "") {
        await peer.send(given.endsWith("\n") ? given : given + CRLF);
        if (given.startsWith("421")) end();
        return given;
      }
      return ended ? undefined : "";
    };
    const fill = async (): Promise<boolean> => {
      const bytes = await peer.read();
      if (!bytes) ended = true;
      else buffer += latin1(bytes);
      return !ended;
    };
    const line = async (): Promise<string | undefined> => {
      while (!buffer.includes(CRLF)) if (!(await fill())) return undefined;
      const at = buffer.indexOf(CRLF);
      const text = buffer.slice(0, at);
      buffer = buffer.slice(at + 2);
      seen.lines.push({ text, tls });
      return text;
    };
    const block = async (): Promise<Uint8Array | undefined> => {
      if (answerAt("block") !== undefined) {
        used.set("block", (used.get("block") ?? 1) - 1);
        await answer("block");
        return undefined;
      }
      while (!`${CRLF}${buffer}`.includes(`${CRLF}.${CRLF}`)) if (!(await fill())) return undefined;
      const at = `${CRLF}${buffer}`.indexOf(`${CRLF}.${CRLF}`);
      const data = buffer.slice(0, at);
      buffer = buffer.slice(at + 3);
      return Buffer.from(data.replaceAll(/(^|\r\n)\./g, "$1"), "latin1");
    };
    const hello = () => {
      const keywords = [...(behavior.keywords ?? KEYWORDS)];
      if (!tls && !behavior.noStartTls) keywords.push("STARTTLS");
      if (behavior.login && (tls || behavior.noStartTls) && !keywords.some((one) => one.startsWith("AUTH"))) {
        keywords.push("AUTH LOGIN PLAIN");
      }
      return ["relay.test", ...keywords]
        .map((word, n, all) => `250${n < all.length - 1 ? "-" : " "}${word}`)
        .join(CRLF);
    };
    const logIn = async (text: string): Promise<string> => {
      const [, mechanism, initial] = text.split(" ");
      let given = Buffer.from(initial ?? "", "base64").toString();
      if (mechanism === "LOGIN") {
        const ask = async (what: string) => {
          await peer.send(`334 ${Buffer.from(what).toString("base64")}${CRLF}`);
          return Buffer.from((await line()) ?? "", "base64").toString();
        };
        given = `\0${await ask("Username:")}\0${await ask("Password:")}`;
      }
      const { user, password } = behavior.login ?? { user: "", password: "" };
      return given === `\0${user}\0${password}` ? USUAL.AUTH : "535 5.7.8 authentication failed";
    };

    await answer("greeting");
    while (!ended) {
      const text = await line();
      if (text === undefined) break;
      const verb = text.split(" ")[0]?.toUpperCase() ?? "";
      if (verb === "EHLO") await answer("EHLO", hello());
      else if (verb === "STARTTLS") {
        if ((await answer("STARTTLS"))?.startsWith("220")) {
          await peer.secure();
          tls = true;
          buffer = "";
        }
      } else if (verb === "AUTH") await answer("AUTH", await logIn(text));
      else if (verb === "MAIL") {
        const reply = await answer("MAIL", mail ? "503 5.5.1 nested MAIL" : USUAL.MAIL);
        if (reply?.startsWith("2")) mail = { from: /<(.*?)>/.exec(text)?.[1] ?? "", to: [], data: new Uint8Array() };
      } else if (verb === "RCPT") {
        if (mail === undefined) await peer.send(`503 5.5.1 no MAIL${CRLF}`);
        else {
          const address = /<(.*?)>/.exec(text)?.[1] ?? "";
          if ((await answer("RCPT", behavior.rcpt?.(address)))?.startsWith("2")) mail.to.push(address);
        }
      } else if (verb === "DATA") {
        if (!mail || mail.to.length === 0) await peer.send(`554 5.5.1 no valid recipients${CRLF}`);
        else if ((await answer("DATA"))?.startsWith("354")) {
          const data = await block();
          if (data === undefined) break;
          const accepted: Received = { ...mail, data };
          mail = undefined;
          const given = behavior.at?.end;
          if (given === "drop" || given === "stall") seen.mails.push(accepted);
          if (behavior.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, behavior.delay));
          if ((await answer("end"))?.startsWith("2")) seen.mails.push(accepted);
        }
      } else if (verb === "RSET") {
        mail = undefined;
        await answer("RSET");
      } else if (verb === "QUIT") {
        await peer.send(`221 2.0.0 bye${CRLF}`);
        end();
      } else await peer.send(`502 5.5.2 ${verb}${CRLF}`);
    }
  };
  return { serve, seen };
};
