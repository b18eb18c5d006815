import type { ReactNode } from 'react'

export interface Fact {
  term: string
  value: ReactNode
}

/** What is not known yet is said as such. */
export const known = ({ term, value }: Fact): Fact => ({
  term,
  value: value ?? <span className="text-muted">Not known yet</span>,
})
