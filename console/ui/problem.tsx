import { CircleAlert } from 'lucide-react'
import { AddressText } from '../lib/address.tsx'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

interface ProblemProps {
  title: string
  /** Failure, whose reason is always shown. */
  error: { message: string }
  onRetry: () => unknown
}

/** Error message for places that are too small for a `Problem`, such as below a field or in a dialog. */
export const ErrorText = ({ error }: Pick<ProblemProps, 'error'>) => (
  <p className="text-sm wrap-anywhere text-red-ink">
    <AddressText>{error.message}</AddressText>
  </p>
)

/** Stands in for data that could not be loaded. */
export const Problem = ({ title, error, onRetry }: ProblemProps) => (
  <EmptyState
    icon={CircleAlert}
    title={title}
    action={<Button onClick={() => void onRetry()}>Try again</Button>}
  >
    <AddressText>{error.message}</AddressText>
  </EmptyState>
)
