import type { ReactNode } from 'react'

export interface Fact {
  term: string
  value: ReactNode
}

export const withPlaceholder = ({ term, value }: Fact): Fact => ({
  term,
  value: value ?? <span className="text-muted">Not withPlaceholder yet</span>,
})
