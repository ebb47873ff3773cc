const navigation = document.getElementById("navigation");
const links = [...navigation.querySelectorAll("a")];

for (const panel of document.querySelectorAll(".panel")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    button.textContent = (await copy(panel.querySelector("code"))) ? "Copied" : "Selected";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  panel.querySelector("figcaption").append(button);
}

// Browsers give the clipboard only to pages of https and localhost; elsewhere the text is left selected.
async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}

const filter = document.getElementById("filter");
filter.hidden = false;
filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/);
  for (const group of navigation.querySelectorAll(".group")) {
    const [title, ...entries] = group.querySelectorAll("a");
    const isWanted = (link) => {
      const text = `${title.textContent} ${link.textContent} ${link.title}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    for (const entry of entries) entry.hidden = !isWanted(entry);
    group.hidden = !isWanted(title) && entries.every((entry) => entry.hidden);
  }
});
filter.addEventListener("keydown", (event) => {
  if (event.key === "Enter") navigation.querySelector(".group:not([hidden]) a:not(.title, [hidden])")?.click();
  if (event.key !== "Escape") return;
  filter.value = "";
  filter.dispatchEvent(new Event("input"));
  filter.blur();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input")) return;
  event.preventDefault();
  filter.focus();
});

const menu = document.getElementById("menu");
menu.hidden = false;
document.body.classList.add("has-menu");
const toggleMenu = (isOpen) => {
  menu.setAttribute("aria-expanded", String(isOpen));
  navigation.classList.toggle("is-open", isOpen);
};
menu.addEventListener("click", () => toggleMenu(menu.getAttribute("aria-expanded") === "false"));
navigation.addEventListener("click", (event) => {
  if (event.target.closest("a")) toggleMenu(false);
});

const targets = links.map((link) => document.getElementById(link.hash.slice(1))).filter((target) => target !== null);
let isScheduled = false;
addEventListener("scroll", () => {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(markPlace);
});
markPlace();

// Marks the link of the last heading that has passed the top of the window.
function markPlace() {
  isScheduled = false;
  const place = targets.findLast((target) => target.getBoundingClientRect().top < 120) ?? targets[0];
  const current = links.find((link) => link.hash === `#${place?.id}`);
  if (!current || current.hasAttribute("aria-current")) return;
  for (const link of links) link.removeAttribute("aria-current");
  current.setAttribute("aria-current", "true");
  const { top, bottom } = current.getBoundingClientRect();
  const frame = navigation.getBoundingClientRect();
  if (top < frame.top + 60 || bottom > frame.bottom - 20)
    navigation.scrollTop += top - frame.top - navigation.clientHeight / 3;
}
