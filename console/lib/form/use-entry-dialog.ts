import { useDialog } from '../use-dialog.ts'

/** Parses the dialog parameter of the URL into action and entry: `edit-env_…`, `remove-env_…`. */
export function useEntryDialog<Row extends { id: string }>(rows: readonly Row[] | undefined) {
  const { dialog, open, close } = useDialog()
  const dash = dialog.indexOf('-')
  const [verb, id] = [dialog.slice(0, dash), dialog.slice(dash + 1)]
  const entry = rows?.find((row) => row.id === id)
  return {
    dialog,
    open,
    close,
    ask: (what: string, { id: of }: Row) => open(`${what}-${of}`),
    verb,
    entry,
    editing: verb === 'edit' ? entry : undefined,
    removing: verb === 'remove' ? entry : undefined,
  }
}
