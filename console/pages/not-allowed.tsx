import { Lock } from 'lucide-react'
import { EmptyState } from '../ui/empty-state.tsx'

/** Where a link leads whose tab one's role does not offer. */
export function NotAllowed() {
  return (
    <EmptyState icon={Lock} title="Your role does not show this">
      Ask an owner or an admin of the workspace if you need it.
    </EmptyState>
  )
}
