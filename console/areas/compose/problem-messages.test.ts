import { expect, it } from 'vitest'
import type { ComposeProblem } from './compose-check.ts'
import { fixErrorsMessage, formatProblemCount, firstErrorMessage } from './problem-messages.ts'

const problem = (line: number, severity: ComposeProblem['severity']): ComposeProblem => ({
  line,
  column: 1,
  end_line: line,
  end_column: 2,
  severity,
  message: 'There is no key imgae.',
})

it('counts errors and warnings, and does not block on warnings', () => {
  const [warning, mistake, other] = [problem(1, 'warning'), problem(4, 'error'), problem(9, 'error')]
  expect(formatProblemCount([warning, mistake, other])).toBe('2 errors and 1 warning')
  expect(formatProblemCount([mistake])).toBe('1 error')
  expect(firstErrorMessage([warning])).toBeUndefined()
  expect(firstErrorMessage([warning, mistake])).toBe('Line 4: There is no key imgae.')
  expect([[warning], [mistake], [mistake, other]].map(fixErrorsMessage)).toEqual([
    undefined,
    'Fix the error below first.',
    'Fix the 2 errors below first.',
  ])
  expect(firstErrorMessage([mistake, other])).toBe('Line 4: There is no key imgae. There is 1 more error.')
})
