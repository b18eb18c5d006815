import type { ReactNode } from 'react'

export interface Fact {
  term: string
  value: ReactNode
}

export const known = ({ term, value }: Fact): Fact => ({
  term,
  value: value ?? <span className="text-muted">Not known yet</span>,
})
