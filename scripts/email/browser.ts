import { spawn } from "node:child_process";

const COMMANDS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address in the default browser, if there is one. */
export const openInBrowser = (url: string): void => {
  const [command, ...args] = COMMANDS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.once("error", () => console.log(`No browser was opened (${command} failed): open ${url} yourself.`));
  child.unref();
};
