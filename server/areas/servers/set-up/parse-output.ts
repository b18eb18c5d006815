import { isSetupStep } from './setup-run.ts'
import type { SetupChanges, SetupRow } from './store.ts'

const STEP = /^==> (\w+): /
const WARNING = /^Warning: (.+)$/
const FAILURE = /^!! (.+)$/
/** Limits the warnings, because a malicious server could print any number. */
const MOST_WARNINGS = 20

type SetupState = Pick<SetupRow, 'step' | 'warnings'>

export function parseSetupOutput(output: string, known: SetupState): SetupChanges {
  const changes: SetupChanges = {}
  const warnings = [...known.warnings]
  let step = known.step ?? ''
  for (const line of output.split('\n')) {
    const name = STEP.exec(line)?.[1] ?? ''
    if (isSetupStep(name)) changes.step = step = name
    const text = sentence(WARNING.exec(line)?.[1] ?? '')
    const isNew = text !== '' && !warnings.some((warning) => warning.text === text)
    if (isNew && isSetupStep(step) && warnings.length < MOST_WARNINGS) warnings.push({ step, text })
    const error = FAILURE.exec(line)?.[1]
    if (error !== undefined) changes.error = error
  }
  return warnings.length > known.warnings.length
    ? { ...changes, warnings: JSON.stringify(warnings) }
    : changes
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1, 500)
