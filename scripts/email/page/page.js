// Makes tabs of the sections, and loads the page again when the mail has changed. Without this script all sections are shown.
const nav = document.querySelector("nav");
const tabs = [...nav.querySelectorAll("a")];
const panelOf = (tab) => document.getElementById(tab.hash.slice(1));

const select = (tab) => {
  for (const one of tabs) {
    one.setAttribute("aria-selected", String(one === tab));
    one.tabIndex = one === tab ? 0 : -1;
    panelOf(one).hidden = one !== tab;
  }
};

/** The tab of the address: its section, or the section that holds the line. */
const fromAddress = () => {
  const target = document.getElementById(location.hash.slice(1));
  const tab = target && tabs.find((one) => panelOf(one).contains(target));
  select(tab ?? tabs[0]);
  if (tab && target !== panelOf(tab)) target.scrollIntoView({ block: "center" });
};

document.body.classList.add("tabbed");
nav.setAttribute("role", "tablist");
for (const tab of tabs) {
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", tab.hash.slice(1));
  const panel = panelOf(tab);
  panel.setAttribute("role", "tabpanel");
  panel.tabIndex = 0;
  tab.addEventListener("click", (event) => {
    event.preventDefault();
    history.replaceState(null, "", tab.hash);
    select(tab);
  });
}
nav.addEventListener("keydown", (event) => {
  const at = tabs.indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (event.key === " ") document.activeElement.click();
  else if (to === undefined) return;
  else {
    const tab = tabs.at(to % tabs.length);
    tab.focus();
    tab.click();
  }
  event.preventDefault();
});
addEventListener("hashchange", fromAddress);
fromAddress();

// The server names its version at once, so that no change between the page and this request is lost.
const { version } = document.documentElement.dataset;
new EventSource("/events").addEventListener("message", ({ data }) => {
  if (data !== version) location.reload();
});
