import type { ComponentProps, ReactNode } from 'react'
import { LoadMore } from '../../ui/table/load-more.tsx'

interface PickListProps<Item> {
  items: readonly Item[]
  render: (item: Item) => ReactNode
  query: ComponentProps<typeof LoadMore>['query'] & { hasNextPage: boolean }
}

/** Scrollable list with pagination. */
export const PickList = <Item extends { name: string }>({ items, render, query }: PickListProps<Item>) => (
  <div className="max-h-80 overflow-y-auto rounded-md border border-line">
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <li key={item.name}>{render(item)}</li>
      ))}
    </ul>
    {query.hasNextPage && (
      <div className="border-t border-line p-2">
        <LoadMore query={query} />
      </div>
    )}
  </div>
)
