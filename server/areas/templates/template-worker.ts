import { onWorkerThread } from '../../platform/worker-thread.ts'
import { checkTemplate } from './check-template.ts'
import { draftFiles } from './draft-files.ts'
import { fillInputs } from './fill-inputs.ts'

export const checkTemplateInWorker = onWorkerThread(
  new URL('./check-template.js', import.meta.url),
  'checkTemplate',
  checkTemplate,
)

export const draftFilesInWorker = onWorkerThread(
  new URL('./draft-files.js', import.meta.url),
  'draftFiles',
  draftFiles,
)

/** Runs `fillInputs` on a worker thread, because it matches patterns that a workspace wrote. */
export const fillInputsInWorker = onWorkerThread(
  new URL('./fill-inputs.js', import.meta.url),
  'fillInputs',
  fillInputs,
)
