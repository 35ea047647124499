/** Adds the styles to a shadow root. Constructed, as a Content-Security-Policy may forbid `<style>`. */
export function adoptStyles(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]
}

/** Uses the colour scheme of the page, unless it has none; then that of the system. */
export function followTheme(inside: Node): void {
  const { host } = inside.getRootNode() as ShadowRoot
  const { colorScheme } = getComputedStyle(document.documentElement)
  ;(host as HTMLElement).style.colorScheme = colorScheme === 'normal' ? '' : 'inherit'
}

const styles = `
:host {
  all: initial;
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #0f171d);
  --raised: light-dark(#eff3f6, #1a262e);
  --line: light-dark(#c9d4db, #31434e);
  --edge: light-dark(#6b7f8c, #7f95a3);
  --text: light-dark(#10212b, #e6eef3);
  --muted: light-dark(#465965, #a6b9c5);
  --accent: light-dark(#0a5a78, #6ccbea);
  --on-accent: light-dark(#ffffff, #06202b);
  --good: light-dark(#0c5f37, #63d8a5);
  --bad: light-dark(#97211f, #ffa39d);
  --warn: light-dark(#6b4100, #f2c473);
  font: 13px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  color: var(--text);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, input, select {
  font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--edge);
  border-radius: 4px; padding: 3px 8px; min-height: 28px;
}
button { cursor: pointer; }
button:hover { background: var(--raised); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
kbd { font: 11px ui-monospace, Menlo, Consolas, monospace; color: var(--muted); }
.launcher { position: fixed; right: 12px; bottom: calc(12px + var(--row, 0) * 36px); z-index: 2147482999; }
.launcher button { box-shadow: 0 1px 4px rgb(0 0 0 / 25%); }
.panel {
  position: fixed; inset: auto 0 0 0; z-index: 2147483000; height: min(60vh, 480px);
  display: flex; flex-direction: column; overflow: auto; background: var(--ground); border-top: 2px solid var(--accent);
}
header, [role='tablist'], .tools { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; padding: 6px 10px; }
header { background: var(--raised); }
h2, h3 { font-size: inherit; font-weight: 650; margin: 0; }
header dl { display: flex; flex-wrap: wrap; gap: 0 14px; margin: 0; }
header dl div { display: flex; gap: 5px; }
header dt { color: var(--muted); }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.actions { margin-left: auto; display: flex; gap: 6px; }
[role='tablist'] { gap: 4px; padding-bottom: 0; border-bottom: 1px solid var(--line); }
[role='tab'] { border-color: transparent; border-radius: 4px 4px 0 0; }
[role='tab'][aria-selected='true'] { background: var(--accent); color: var(--on-accent); }
[role='tabpanel'] { flex: 1 0 100px; overflow: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
table.fixed { table-layout: fixed; min-width: 955px; }
.fixed td { overflow: hidden; text-overflow: ellipsis; }
caption { text-align: left; padding: 8px 10px 4px; font-weight: 650; }
th, td { text-align: left; padding: 3px 10px; border-bottom: 1px solid var(--line); vertical-align: middle; white-space: nowrap; }
th { color: var(--muted); font-weight: 600; }
.number { text-align: right; }
.toggle { border: 0; padding: 0 2px; min-height: 24px; text-align: left; color: var(--accent); background: none; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.muted { color: var(--muted); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.warn { color: var(--warn); }
pre {
  margin: 4px 0; padding: 8px; max-height: 260px; overflow: auto; background: var(--raised); white-space: pre-wrap;
  overflow-wrap: anywhere; font: 12px/1.4 ui-monospace, Menlo, Consolas, monospace; max-width: calc(100vw - 60px);
}
.details > td { white-space: normal; }
.note { padding: 8px 10px; margin: 0; color: var(--muted); max-width: 75ch; }
fieldset { border: 0; margin: 0; padding: 10px; display: grid; gap: 10px; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); align-items: end; }
label { display: grid; gap: 3px; }
label.inline { display: flex; align-items: center; gap: 6px; }
input[type='checkbox'] { min-height: 0; width: 18px; height: 18px; }
@media (max-width: 600px) {
  .panel { height: 75dvh; }
  .launcher kbd { display: none; }
}
@media (forced-colors: active) {
  [role='tab'][aria-selected='true'] { background: SelectedItem; color: SelectedItemText; forced-color-adjust: none; }
}
@media print { :host { display: none; } }
`
