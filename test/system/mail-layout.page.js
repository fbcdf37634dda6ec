// A script for the page of a mail: what is wrong with its layout and its contrast.

/** What is wrong with the layout of the shown mail, whose columns should be stacked or side by side. */
globalThis.layoutFaults = (stacked) => {
  const faults = [];
  const width = document.documentElement.clientWidth;
  const nameOf = (element) => `<${element.tagName.toLowerCase()}> ${(element.textContent ?? "").trim().slice(0, 30)}`;
  const isShown = (element) => {
    const { width: wide, height } = element.getBoundingClientRect();
    return wide > 0 && height > 0;
  };
  const all = [...document.body.querySelectorAll("*")].filter(isShown);

  if (document.documentElement.scrollWidth > width) faults.push(`the page is wider than the screen`);
  for (const element of all) {
    const { left, right } = element.getBoundingClientRect();
    if (left < -0.5 || right > width + 0.5) faults.push(`${nameOf(element)} is outside the screen`);
  }

  const blocks = all.filter((element) =>
    element.matches("h1,h2,h3,p,blockquote,pre,li,img,span[style*='inline-block']"),
  );
  for (const [index, one] of blocks.entries()) {
    const a = one.getBoundingClientRect();
    for (const other of blocks.slice(index + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const b = other.getBoundingClientRect();
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 1) faults.push(`${nameOf(one)} overlaps ${nameOf(other)}`);
    }
  }

  for (const row of document.querySelectorAll("tr")) {
    const columns = [...row.children].filter((cell) => cell.classList.contains("column"));
    for (const [index, column] of columns.entries()) {
      const next = columns[index + 1];
      if (next === undefined) continue;
      const [a, b] = [column.getBoundingClientRect(), next.getBoundingClientRect()];
      const isStacked = a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
      if (isStacked !== stacked) faults.push(`${nameOf(row)} ${stacked ? "is not stacked" : "is stacked"}`);
    }
  }
  return faults;
};

/** Texts whose contrast is under 4.5:1, or under 3:1 where they are large: WCAG 2, 1.4.3. */
globalThis.faintTexts = () => {
  const parse = (color) => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return [red, green, blue, alpha];
  };
  const luminance = ([red, green, blue]) => {
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backOf = (element) => {
    if (element === null)
      return matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
    const color = parse(getComputedStyle(element).backgroundColor);
    return color[3] > 0.99 ? color : backOf(element.parentElement);
  };
  return [...document.body.querySelectorAll("*")].flatMap((element) => {
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === 3)
      .map((node) => node.textContent)
      .join("")
      .trim();
    if (text === "" || element.getBoundingClientRect().height === 0) return [];
    const style = getComputedStyle(element);
    const [one, other] = [luminance(parse(style.color)), luminance(backOf(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const size = Number.parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    return contrast < least - 0.05 ? [`"${text.slice(0, 30)}" has a contrast of ${contrast.toFixed(2)}`] : [];
  });
};
