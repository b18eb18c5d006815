import { CircleAlert } from 'lucide-react'
import { AddressText } from '../lib/address.tsx'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

interface ProblemProps {
  title: string
  /** Its message is always shown. */
  error: { message: string }
  onRetry: () => unknown
}

/** Shown in place of data that could not be loaded. */
export const Problem = ({ title, error, onRetry }: ProblemProps) => (
  <EmptyState
    icon={CircleAlert}
    title={title}
    action={<Button onClick={() => void onRetry()}>Try again</Button>}
  >
    <AddressText>{error.message}</AddressText>
  </EmptyState>
)
