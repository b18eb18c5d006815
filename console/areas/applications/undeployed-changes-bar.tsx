import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Application } from './queries.ts'

interface ChangedBarProps {
  release: Application['release']
  onShow: () => void
}

export const UndeployedChangesBar = ({ release, onShow }: ChangedBarProps) => (
  <Notice
    tone="neutral"
    title={release?.older ? `Rolled back to release ${release.number}` : 'Undeployed changes'}
    action={<Button onClick={onShow}>View changes</Button>}
  >
    {release?.older ? 'Deploy to apply your current configuration.' : 'Deploy to apply them.'}
  </Notice>
)
