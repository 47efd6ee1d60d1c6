import { mostUploads } from '../../../identity-verification/known-inputs.ts'
import { checkPicture } from '../../../identity-verification/pictures/check-picture.ts'
import type { Picture } from '../../../identity-verification/pictures/picture.ts'
import {
  type SampleName,
  sampleOf,
  samplePicture,
  samples,
} from '../../../identity-verification/pictures/samples.ts'
import { type Html, html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import type { Rejected } from '../../visit.ts'
import { toRadios } from '../field.ts'
import { toInvented } from '../invented.ts'
import type { Visit } from '../visit.ts'

interface Asked {
  /** Which camera of a phone takes the picture. */
  capture: 'environment' | 'user'
  kind: 'document' | 'document_back' | 'selfie'
}

/** The forms that send a picture: from the camera, from a file, or a sample of the sandbox. */
export function pictureForm(visit: Visit, { capture, kind }: Asked, rejected?: Rejected): Html {
  const { camera, file } = visit.texts.picture
  return html`<div class="camera">${fileForm(visit, { id: 'camera', label: camera, capture }, rejected)}</div>
${fileForm(visit, { id: 'file', label: file }, rejected)}
${toInvented(visit, sampleForm(visit, kind, rejected))}`
}

/** The inputs for a picture. Each has a form of its own, since a form brings one file. */
type InputId = 'camera' | 'file'

interface Input {
  id: InputId
  label: string
  capture?: string
}

function fileForm(visit: Visit, { id, label, capture }: Input, rejected?: Rejected): Html {
  const { texts, session, address } = visit
  const error = rejected?.errors.find(({ field }) => field === id)
  return html`<form class="way" method="post" action="${address}" enctype="multipart/form-data" novalidate>
<input type="hidden" name="turn" value="${session.turn}">
<input type="hidden" name="from" value="${id}">
<div class="field">
<label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">${texts.picture.hint}</p>
${error && html`<p class="error" id="${id}-error">${error.text}</p>`}
<input id="${id}" name="file" type="file" accept="image/jpeg,image/png"${capture && html` capture="${capture}"`}
aria-describedby="${id}-hint${error && ` ${id}-error`}"${error && html` aria-invalid="true"`}>
</div>
<button>${texts.picture.send}</button>
</form>`
}

function sampleForm(visit: Visit, kind: Asked['kind'], rejected: Rejected | undefined): Html {
  const { samples: label, sampleNames } = visit.texts.invented
  const names = (Object.keys(samples) as SampleName[]).filter((name) => samples[name].kind === kind)
  const choices = names.map((value) => ({
    value,
    text: sampleNames[value],
    picture: thumbnail(value),
  }))
  const chosen = rejected?.form.get('sample') ?? names[0]
  return toForm(
    visit,
    html`${toRadios({ name: 'sample', label, choices, chosen }, rejected)}
<button class="second">${visit.texts.picture.useSample}</button>`,
  )
}

/** A sample as it is: whoever saves it has the file. */
function thumbnail(name: SampleName): Html {
  const source = `data:image/png;base64,${Buffer.from(samplePicture(name)).toString('base64')}`
  return html`<img class="sample" alt="" src="${source}">`
}

/** The picture of a form, or the error to show. */
export function pictureOf(
  { ctx, texts, picture }: Visit,
  form: URLSearchParams,
):
  | { picture: Picture; sample: SampleName | undefined }
  | { error: { field: string; text: string } } {
  const { problems, missing, noSample } = texts.picture
  const isInvented = ctx.settings.environment === 'sandbox'
  const chosen = form.get('sample')
  if (isInvented && chosen !== null) {
    if (!Object.hasOwn(samples, chosen)) return { error: { field: 'sample', text: noSample } }
    const sample = chosen as SampleName
    return { picture: checkPicture(samplePicture(sample)) as Picture, sample }
  }
  const field: InputId = form.get('from') === 'camera' ? 'camera' : 'file'
  if (!picture) return { error: { field, text: missing } }
  if ('problem' in picture) return { error: { field, text: problems[picture.problem] } }
  return { picture, sample: isInvented ? sampleOf(picture) : undefined }
}

/** What was wrong with the last upload, and how many are left. */
export function lastFlaw(
  { evidence, texts }: Visit,
  of: 'documents' | 'selfies',
): Html | undefined {
  const uploads = evidence[of] ?? []
  const flaw = uploads.at(-1)?.flaw
  if (!flaw) return undefined
  const { flaws, left } = texts.picture
  return html`<p class="note">${flaws[flaw]} ${left(mostUploads - uploads.length)}</p>`
}
