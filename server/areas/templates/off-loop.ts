import { offLoop } from '../../platform/off-loop.ts'
import { checkTemplate } from './check-template.ts'
import { draftFiles } from './draft-files.ts'

/** `checkTemplate` on a worker thread. */
export const checkTemplateOffLoop = offLoop(
  new URL('./check-template.js', import.meta.url),
  'checkTemplate',
  checkTemplate,
)

/** `draftFiles` on a worker thread. */
export const draftFilesOffLoop = offLoop(
  new URL('./draft-files.js', import.meta.url),
  'draftFiles',
  draftFiles,
)
