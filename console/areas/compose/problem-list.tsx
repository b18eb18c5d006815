import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useDebounced } from '../../lib/form/use-debounced.ts'
import type { ComposeProblem } from './compose-check.ts'
import { formatProblemCount, isError } from './problem-messages.ts'
import { AddressText } from '../../lib/address.tsx'

interface ProblemListProps {
  label: string
  problems: readonly ComposeProblem[]
  checked: boolean
  failure: string | undefined
  onOpen: (problem: ComposeProblem) => void
}

/** Screen readers announce the count after a pause in typing. */
export function ProblemList({ label, problems, checked, failure, onOpen }: ProblemListProps) {
  const words = summaryOf(problems, checked, failure)
  const announced = useDebounced(words, 1000)
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <p className={problems.length === 0 && !failure ? 'text-muted' : 'font-medium'}>
        {checked && !failure && problems.length === 0 && (
          <CircleCheck className="mr-1.5 inline size-4 align-[-3px] text-green-ink" aria-hidden />
        )}
        {words}
      </p>
      <span className="sr-only" aria-live="polite">
        {announced}
      </span>
      {problems.length > 0 && (
        <ul
          aria-label={label}
          className="flex max-h-60 flex-col overflow-y-auto rounded-md border border-line"
        >
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.column} ${problem.message}`}>
              <button
                type="button"
                onClick={() => onOpen(problem)}
                className="flex w-full items-start gap-2 px-3 py-1.5 text-left -outline-offset-2 hover:bg-hover max-sm:py-2.5"
              >
                {isError(problem) ? (
                  <CircleAlert className="mt-0.5 size-4 shrink-0 text-red-ink" aria-label="Error" />
                ) : (
                  <TriangleAlert className="mt-0.5 size-4 shrink-0 text-yellow-ink" aria-label="Warning" />
                )}
                <span className="shrink-0 text-muted tabular-nums">Line {problem.line}</span>
                <span className="min-w-0 wrap-anywhere">
                  <AddressText>{problem.message}</AddressText>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function summaryOf(problems: readonly ComposeProblem[], checked: boolean, failure: string | undefined) {
  if (failure) return `Could not check the file. ${failure}`
  if (!checked) return 'Problems appear here as you type.'
  return problems.length === 0 ? 'No problems found' : formatProblemCount(problems)
}
