import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { changeDraft } from './new-draft-store.ts'
import type { PartProps } from './new-fields.tsx'

export const AutoRollback = ({ draft }: Pick<PartProps, 'draft'>) => (
  <Checkbox
    name="auto_rollback"
    label="Go back by itself"
    help="If it dies within 5 minutes of a deployment, the release before takes over again."
    checked={draft.auto_rollback}
    onChange={({ target }) => changeDraft({ auto_rollback: target.checked })}
  />
)
