import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { changeDraft } from './new-draft-store.ts'
import type { PartProps } from './new-fields.tsx'

export const AutoRollbackField = ({ draft }: Pick<PartProps, 'draft'>) => (
  <Checkbox
    name="auto_rollback"
    label="Automatic rollback"
    help="Roll back if a release crashes within 5 minutes."
    checked={draft.auto_rollback}
    onChange={({ target }) => changeDraft({ auto_rollback: target.checked })}
  />
)
