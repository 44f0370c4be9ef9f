/** The style sheet of the page; plain, without anything fetched. Light and dark, wide and narrow. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfb; --ink: #1d2430; --faint: #5c6675; --line: #dfe3e8; --panel: #f4f6f8;
  --accent: #0b5a8a; --get: #1c6b45; --post: #8a4b08; --wrong: #a1262c;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181e; --ink: #e3e8ee; --faint: #98a3b1; --line: #2c343f; --panel: #1b2129;
    --accent: #6db8e8; --get: #6cc79a; --post: #e0a263; --wrong: #f08a8f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC',
    'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif;
}
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font-family: var(--mono); font-size: .875em; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; }
.frame { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
.top { border-bottom: 1px solid var(--line); background: var(--panel); }
.top .frame { padding-top: 2rem; padding-bottom: 1.5rem; }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; letter-spacing: -.01em; }
h1 small { font-size: 1rem; font-weight: 400; color: var(--faint); letter-spacing: 0; }
.top p { margin: .6rem 0 0; max-width: 48rem; }
h2 { margin: 3rem 0 .25rem; font-size: 1.4rem; }
h3 { margin: 0; font-size: 1.1rem; }
h4 { margin: 1.4rem 0 .4rem; font-size: .95rem; }
:is(h2, h3, h4) .zh { margin-left: .5em; color: var(--faint); font-weight: 400; font-size: .85em; }
.lead { margin: 0 0 1rem; color: var(--faint); }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem; align-items: start; }
nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 2rem 0; font-size: .9rem; }
nav strong { display: block; margin: 1rem 0 .2rem; color: var(--faint); font-weight: 600; font-size: .8rem; }
nav > strong:first-child { margin-top: 0; }
nav a { display: block; padding: .15rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
main { min-width: 0; padding-bottom: 5rem; }
article { margin: 1.25rem 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: .5rem; }
article:target { border-color: var(--accent); }
.address { display: flex; flex-wrap: wrap; gap: .6rem; align-items: baseline; margin: .35rem 0 .75rem; }
.address code { font-size: .95rem; overflow-wrap: anywhere; }
.method { font: 600 .75rem/1 var(--mono); padding: .3rem .45rem; border-radius: .25rem; border: 1px solid; }
.GET { color: var(--get); } .POST { color: var(--post); }
.roles { color: var(--faint); font-size: .9rem; margin: .5rem 0 0; }
.fields { width: 100%; border-collapse: collapse; font-size: .925rem; }
.fields th { text-align: left; font-weight: 600; color: var(--faint); font-size: .8rem; }
.fields :is(th, td) { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.fields td:first-child { white-space: nowrap; }
.fields td:nth-child(2) { color: var(--faint); overflow-wrap: anywhere; }
.may { color: var(--faint); font-size: .75rem; display: block; }
.status { font: 600 .85rem/1 var(--mono); }
.status.ok { color: var(--get); } .status.wrong { color: var(--wrong); }
details { margin: .6rem 0; }
details details { margin-left: 1.1rem; }
p, .fields td { overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--accent); font-size: .925rem; padding: .15rem 0; }
pre {
  margin: .5rem 0 0; padding: .9rem 1rem; overflow: auto; max-height: 28rem; background: var(--panel);
  border: 1px solid var(--line); border-radius: .4rem; line-height: 1.45; tab-size: 2;
}
footer { border-top: 1px solid var(--line); color: var(--faint); font-size: .9rem; padding: 1.5rem 0 3rem; }
@media (max-width: 56rem) {
  .columns { grid-template-columns: minmax(0, 1fr); gap: 0; }
  nav { position: static; max-height: none; padding: 1rem 0 0; columns: 2; column-gap: 1.5rem; }
  nav strong { break-after: avoid; }
}
@media (max-width: 40rem) {
  .frame { padding: 0 1rem; }
  h1 { font-size: 1.6rem; }
  nav { columns: 1; }
  nav a { padding: .35rem 0; }
  article { padding: 1rem .9rem; }
  .fields, .fields tbody, .fields tr, .fields td { display: block; }
  .fields thead { position: absolute; left: -100rem; }
  .fields tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .fields td { border: 0; padding: .1rem 0; }
  .fields td:first-child { white-space: normal; }
  .may { display: inline; margin-left: .5rem; }
}
@media print {
  nav, .skip { display: none; }
  .columns { display: block; }
  article { break-inside: avoid-page; }
}
`
