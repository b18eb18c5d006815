import { describeDotenvProblem, readDotenv } from '../../../contract/shared/dotenv.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import { ApiError } from '../http/api-error.ts'

/** Returns the first fault that keeps the text from being saved. */
export function findVariableFault(text: string): string | undefined {
  const [problem] = readDotenv(text).problems
  return problem && describeDotenvProblem(problem)
}

/** Parses environment variables. Throws an ApiError for a text that the API would reject. */
export function readVariableField(field: string, text: string): Pair[] {
  const fault = findVariableFault(text)
  if (fault !== undefined) throw new ApiError({ messages: [fault], fields: { [field]: fault } })
  return readDotenv(text).entries.map(({ key, value }) => ({ key, value }))
}
