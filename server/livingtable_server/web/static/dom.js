/** Elements without markup: a text becomes a text node, so that a name is never anything but a name. */

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. Attributes that begin with `on` are listeners; those that are null or false are left out. */
export function el(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS(SVG, tag), attributes, children);
}

/** Puts these children in place of those that an element has. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(9).filter((child) => child !== null && child !== undefined));
  return parent;
}

/** The element of the page with that id. */
export function byId(id) {
  return document.getElementById(id);
}

function furnished(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  return fill(element, ...children);
}
