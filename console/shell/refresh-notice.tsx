import { RefreshCw } from 'lucide-react'
import { AddressText } from '../lib/address.tsx'
import { useRefreshProblem } from '../lib/http/use-refresh-problem.ts'
import { Button } from '../ui/button.tsx'

/** Cards keep their data when a refetch fails; this says for all of them that it may be out of date. */
export function RefreshNotice() {
  const problem = useRefreshProblem()
  return (
    <output
      aria-label="Out of date"
      className="flex flex-wrap items-center gap-x-2 text-sm text-muted empty:hidden"
    >
      {problem && (
        <>
          <span className="min-w-0 wrap-anywhere">
            Out of date. <AddressText>{problem.error.message}</AddressText>
          </span>
          <Button variant="ghost" size="small" onClick={() => void problem.retry()}>
            <RefreshCw aria-hidden />
            Refresh
          </Button>
        </>
      )}
    </output>
  )
}
