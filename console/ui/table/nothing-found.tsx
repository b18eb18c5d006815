import { SearchX } from 'lucide-react'
import { Button } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'

interface NothingFoundProps {
  /** Plural noun in lower case: "servers". */
  things: string
  q: string
  onClear: () => void
}

export function NothingFound({ things, q, onClear }: NothingFoundProps) {
  return (
    <EmptyState
      icon={SearchX}
      title={`No ${things} match “${q}”`}
      action={<Button onClick={onClear}>Clear the search</Button>}
    />
  )
}
