import { Failure } from '../http/failure.ts'
import { fieldInWords } from './field-words.ts'

/** What was typed into a field for a number. What is none is told there: on its way to the server it would turn into nothing. */
export function readNumber(field: string, typed: string): number {
  const number = Number(typed)
  if (typed.trim() !== '' && Number.isFinite(number)) return number
  const sentence = 'Must be a number.'
  throw new Failure({ messages: [`${fieldInWords(field)}: ${sentence}`], fields: { [field]: sentence } })
}

/** The same where the field may stay empty. */
export const readOptionalNumber = (field: string, typed: string) =>
  typed.trim() === '' ? null : readNumber(field, typed)
