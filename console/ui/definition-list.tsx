import type { ReactNode } from 'react'
import { AddressContent } from '../lib/address.tsx'
import { classNames } from './class-names.ts'

interface DefinitionListProps {
  items: readonly { term: string; value: ReactNode }[]
  dense?: boolean
}

export function DefinitionList({ items, dense = false }: DefinitionListProps) {
  return (
    <dl
      className={classNames(
        'grid gap-x-6 gap-y-2.5 sm:grid-cols-[minmax(8rem,auto)_1fr]',
        dense
          ? 'max-sm:grid-cols-[auto_1fr] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:text-sm'
          : 'max-sm:grid-cols-1 max-sm:gap-y-0.5 max-sm:[&_dd]:mb-2',
      )}
    >
      {items.map(({ term, value }) => (
        <div key={term} className="contents">
          <dt className="text-muted">{term}</dt>
          <dd className="min-w-0 wrap-anywhere">
            <AddressContent revealable>{value}</AddressContent>
          </dd>
        </div>
      ))}
    </dl>
  )
}
