import { render } from "preact";
import { App } from "./app.tsx";
import "./style/console.css";
import { loadMe } from "./session/session.ts";
import { applyTheme } from "./ui/theme.ts";

applyTheme();
void loadMe();
const root = document.getElementById("console");
if (root) render(<App />, root);
