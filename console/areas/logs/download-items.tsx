import { MenuItem } from '../../ui/menu/dropdown-menu.tsx'

export function DownloadItems({ onDownload }: { onDownload: (which: 'shown' | 'all') => void }) {
  return (
    <>
      <MenuItem onSelect={() => onDownload('shown')}>Displayed lines</MenuItem>
      <MenuItem onSelect={() => onDownload('all')}>All lines</MenuItem>
    </>
  )
}
