import { CircleAlert } from 'lucide-react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

interface ProblemProps {
  title: string
  children: string
  onRetry: () => void
}

export function Problem({ title, children, onRetry }: ProblemProps) {
  return (
    <EmptyState icon={CircleAlert} title={title} action={<Button onClick={onRetry}>Try again</Button>}>
      {children}
    </EmptyState>
  )
}
