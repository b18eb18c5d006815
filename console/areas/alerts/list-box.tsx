import type { ReactNode } from 'react'

/** Around a table, or what stands in its place. */
export const ListBox = ({ children }: { children: ReactNode }) => (
  <div className="overflow-hidden rounded-lg border border-line bg-raised">{children}</div>
)
