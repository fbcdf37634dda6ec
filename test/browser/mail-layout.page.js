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

/** Texts whose contrast is under 4.5:1, or under 3:1 where they are large (WCAG 2, 1.4.3), and icons under 3:1 (1.4.11). */
globalThis.faintThings = () => {
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
  const contrastOf = (color, element) => {
    const [one, other] = [luminance(color), luminance(backOf(element))];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const icons = [...document.images].flatMap((icon) => {
    const [, name = "", digits] = /icons\/(.+)-([0-9a-f]{6})\.png$/.exec(icon.src) ?? [];
    if (digits === undefined) return [];
    const color = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
    const isInverted = getComputedStyle(icon).filter === "invert(1)";
    const contrast = contrastOf(isInverted ? color.map((value) => 255 - value) : color, icon);
    return contrast < 2.95 ? [`the icon ${name} has a contrast of ${contrast.toFixed(2)}`] : [];
  });
  const texts = [...document.body.querySelectorAll("*")].flatMap((element) => {
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === 3)
      .map((node) => node.textContent)
      .join("")
      .trim();
    if (text === "" || element.getBoundingClientRect().height === 0) return [];
    const style = getComputedStyle(element);
    const contrast = contrastOf(parse(style.color), element);
    const size = Number.parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    return contrast < least - 0.05 ? [`"${text.slice(0, 30)}" has a contrast of ${contrast.toFixed(2)}`] : [];
  });
  return [...texts, ...icons];
};

/** The picture of an icon beside what the browser draws of its path: the mean difference of their alpha, 0 to 255. */
globalThis.comparisonOf = async (url, path) => {
  const picture = new Image();
  picture.crossOrigin = "anonymous";
  picture.src = url;
  await picture.decode();
  const size = picture.naturalWidth;
  const pixels = (draw) => {
    const context = Object.assign(document.createElement("canvas"), { width: size, height: size }).getContext("2d");
    draw(context);
    return context.getImageData(0, 0, size, size).data;
  };
  const got = pixels((context) => context.drawImage(picture, 0, 0));
  const svg = document.body.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  const shape = svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  shape.setAttribute("d", path);
  const box = shape.getBBox();
  // A square around the middle of Font Awesome's 640 units: 512 wide, or wider with the icon.
  const reach = [320 - box.x, 320 - box.y, box.x + box.width - 320, box.y + box.height - 320];
  const side = 2 * Math.max(256, ...reach);
  const expected = pixels((context) => {
    context.setTransform(
      size / side,
      0,
      0,
      size / side,
      size / 2 - (320 * size) / side,
      size / 2 - (320 * size) / side,
    );
    context.fill(new Path2D(path));
  });
  const total = got.reduce((sum, value, at) => (at % 4 === 3 ? sum + Math.abs(value - expected[at]) : sum), 0);
  const solid = got.findIndex((value, index) => index % 4 === 3 && value === 255);
  return {
    size,
    color: [...got.slice(solid - 3, solid)],
    difference: total / size ** 2,
  };
};
