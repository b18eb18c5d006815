import { RefreshCw, X } from 'lucide-react'
import { useState } from 'react'
import { AddressText } from '../lib/address.tsx'
import { useRefreshProblem } from '../lib/http/use-refresh-problem.ts'
import { Button } from '../ui/button.tsx'

/**
 * Cards keep their data when a refetch fails; this says for all of them that it may be out of date. It floats, so that
 * nothing moves under the pointer.
 */
export function RefreshNotice() {
  const problem = useRefreshProblem()
  const [dismissed, setDismissed] = useState<Error>()
  const shown = problem && problem.error !== dismissed ? problem : undefined
  return (
    <output aria-label="Out of date" className="sticky top-14 z-20 -mb-6 flex h-0 justify-center">
      {shown && (
        <span className="flex h-fit max-w-full items-center gap-1 rounded-lg border border-edge bg-raised py-1 pr-1 pl-3 text-sm text-muted shadow-float">
          <span className="min-w-0 wrap-anywhere">
            Out of date. <AddressText>{shown.error.message}</AddressText>
          </span>
          <Button variant="ghost" size="small" onClick={() => void shown.retry()}>
            <RefreshCw aria-hidden />
            Refresh
          </Button>
          <Button
            variant="ghost"
            size="small"
            icon
            aria-label="Dismiss"
            onClick={() => setDismissed(shown.error)}
          >
            <X aria-hidden />
          </Button>
        </span>
      )}
    </output>
  )
}
