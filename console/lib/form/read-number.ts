import { ApiError } from '../http/api-error.ts'
import { toFieldLabel } from './field-labels.ts'

/** Parses a number field. Throws for invalid input, because JSON would turn it into null. */
export function readNumber(field: string, typed: string): number {
  const number = Number(typed)
  if (typed.trim() !== '' && Number.isFinite(number)) return number
  const sentence = 'Must be a number.'
  throw new ApiError({ messages: [`${toFieldLabel(field)}: ${sentence}`], fields: { [field]: sentence } })
}

export const readOptionalNumber = (field: string, typed: string) =>
  typed.trim() === '' ? null : readNumber(field, typed)
