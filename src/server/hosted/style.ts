import { createHash } from 'node:crypto'

/** The style of the hosted pages, in the colors that the user's system asks for. */
export const style = `:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e8eaed);
  --quiet: light-dark(#4d5560, #b3bac4);
  --ground: light-dark(#ffffff, #14171b);
  --raised: light-dark(#f3f5f7, #20252b);
  --line: light-dark(#767f8b, #8a93a0);
  --accent: light-dark(#0b5c4e, #6fd3bf);
  --on-accent: light-dark(#ffffff, #08231e);
  --error: light-dark(#a8201a, #ff9d94);
  --notice: light-dark(#fff3cd, #3d3210);
  font: 1rem/1.5 system-ui, sans-serif;
  color: var(--text);
  background: var(--ground);
}
* { box-sizing: border-box }
body { margin: 0; overflow-wrap: anywhere }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 2rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0 1rem }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem }
a { color: var(--accent) }
.banner { background: var(--notice); padding: .6rem 1rem; text-align: center }
.banner p { margin: 0 auto; max-width: 34rem }
.progress { color: var(--quiet); margin: 0 0 1rem }
progress { display: block; width: 100%; height: .5rem; accent-color: var(--accent) }
.errors { border: 3px solid var(--error); border-radius: .4rem; padding: .75rem 1rem; margin-bottom: 1.25rem }
.errors h2 { margin: 0 0 .25rem; color: var(--error) }
.errors ul { margin: 0; padding-left: 1.2rem }
.errors a { color: var(--error) }
.error { color: var(--error); font-weight: 600; margin: 0 0 .25rem }
.field { margin: 0 0 1.25rem }
.hint { color: var(--quiet); margin: 0 0 .4rem }
button + .hint { margin-top: .75rem }
label { font-weight: 600; display: block; margin-bottom: .25rem }
input[type=text], input[type=password], input[type=search], input[type=tel], input[type=file], select {
  width: 100%; font: inherit; color: inherit; background: var(--ground);
  border: 1px solid var(--line); border-radius: .4rem; padding: .65rem .75rem; min-height: 2.9rem
}
input[type=file] { border-style: dashed; border-width: 2px; background: var(--raised); padding: 1rem .75rem; cursor: pointer }
input::file-selector-button {
  font: inherit; font-weight: 600; padding: .45rem .8rem; margin: 0 .6rem .3rem 0; cursor: pointer;
  border: 1px solid var(--accent); border-radius: .4rem; background: var(--ground); color: var(--accent)
}
input[aria-invalid=true], select[aria-invalid=true] { border: 2px solid var(--error) }
button, .button {
  font: inherit; font-weight: 600; display: inline-block; width: 100%; min-height: 2.9rem;
  padding: .65rem 1rem; border: 1px solid var(--accent); border-radius: .4rem; cursor: pointer;
  background: var(--accent); color: var(--on-accent); text-align: center; text-decoration: none
}
.second { background: transparent; color: var(--accent) }
:focus-visible, .errors:focus { outline: 3px solid var(--accent); outline-offset: 2px }
.search { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: 1rem }
.search label { width: 100%; margin: 0 }
.search input { flex: 1 1 10rem; width: auto }
.search button { width: auto }
.plain { list-style: none; margin: 0 0 1rem; padding: 0 }
.plain li { margin: 0 0 .5rem }
.choice {
  display: flex; align-items: center; gap: .75rem; text-align: left; font-weight: 400;
  background: var(--raised); color: var(--text); border-color: var(--line)
}
.choice img, .initial { width: 2.5rem; height: 2.5rem; border-radius: .4rem; flex: none }
.initial { background: var(--accent); color: var(--on-accent); font-weight: 600; line-height: 2.5rem; text-align: center }
legend { font-weight: 600; font-size: 1.1rem; padding: 0; margin-bottom: .25rem }
/* Nothing else is asked of an account that stays out. */
.about:has(option[value=none]:checked) .needed { display: none }
.about { margin: 1.25rem 0; padding-top: .75rem }
.told { color: var(--quiet); margin: 0 0 .75rem }
.account .told { margin: 0; font-size: .9rem }
small { display: block; font-size: .9rem; color: var(--quiet) }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
fieldset { position: relative; border: 0; margin: 0; padding: 0; min-width: 0 }
.account { display: flex; gap: .75rem; align-items: flex-start; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--raised); font-weight: 400; margin: 0 }
.account input { width: 1.4rem; height: 1.4rem; margin: .1rem 0 0; flex: none; accent-color: var(--accent) }
.account strong { display: block }
.check { display: flex; gap: .75rem; align-items: flex-start; font-weight: 400; margin: 0 0 .75rem }
.check input { width: 1.4rem; height: 1.4rem; margin: .1rem 0 0; flex: none; accent-color: var(--accent) }
.preview { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; margin: 1.25rem 0 }
.preview table { border-collapse: collapse; width: 100%; font-size: .9rem }
.preview caption { text-align: left; font-weight: 600; padding: .6rem .75rem }
.preview th, .preview td { text-align: left; padding: .4rem .75rem; border-top: 1px solid var(--line); white-space: nowrap; vertical-align: top }
.preview th { background: var(--raised) }
.parts { display: flex; gap: .75rem }
.parts .field { flex: 1 1 4rem; min-width: 0 }
.parts .field:last-child { flex-grow: 2 }
.answers { margin: 0 0 1.5rem; border-top: 1px solid var(--line) }
.answers div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line) }
.answers dt { flex: 1 0 100%; color: var(--quiet); font-size: .9rem }
.answers dd { flex: 1; margin: 0 }
.answers dd:last-child { flex: none }
.other { margin: .75rem 0 0 }
/* A machine without a touch screen has no camera that shows a document. */
.camera { display: none }
@media (any-pointer: coarse) { .camera { display: block } }
.sample { width: 5rem; height: 3.2rem; object-fit: contain; flex: none; background: #fff }
.way { border: 1px solid var(--line); border-radius: .4rem; padding: 1rem; margin: 0 0 1rem }
.way .field { margin-bottom: .75rem }
.note { background: var(--raised); border-left: .3rem solid var(--accent); padding: .5rem 1rem; margin: 1.25rem 0 }
.note h2 { margin-top: .25rem }
blockquote { margin: .5rem 0; padding-left: .75rem; border-left: 2px solid var(--line) }
.note dl { margin: 0 }
.note dt { font-family: ui-monospace, monospace }
.note dd { margin: 0 0 .4rem 1rem; color: var(--quiet) }
footer { max-width: 34rem; margin: 0 auto; padding: 0 1rem 2rem; color: var(--quiet); font-size: .9rem }
footer p { border-top: 1px solid var(--line); margin: 0; padding-top: .75rem }
.ways { margin-top: 1.75rem }
.ways ul { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem }
.ways a { display: inline-block; padding: .35rem 0 }
`

/** The address changes with the content, so a browser can keep it. */
export const stylePath = `/hosted/style-${createHash('sha256').update(style).digest('hex').slice(0, 16)}.css`
