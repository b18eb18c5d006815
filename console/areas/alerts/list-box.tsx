import type { ReactNode } from 'react'

export const ListBox = ({ children }: { children: ReactNode }) => (
  <div className="overflow-hidden rounded-lg border border-line bg-raised">{children}</div>
)
