import { byText } from '../../../ui/table/sort.ts'
import type { Column } from '../../../ui/table/table.tsx'

export const nameColumn = {
  head: 'Name',
  cell: ({ key }) => (
    <span className="font-mono text-sm wrap-anywhere" dir="ltr">
      {key}
    </span>
  ),
  sort: byText(({ key }) => key),
} satisfies Column<{ key: string }>
