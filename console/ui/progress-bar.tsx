import { classNames } from './class-names.ts'

interface ProgressBarProps {
  label: string
  current: number
  total: number | null
  tone?: 'accent' | 'green' | 'yellow'
  thin?: boolean
}

export function ProgressBar({ label, current, total, tone = 'accent', thin }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      max={total ?? 1}
      value={total === null ? 0 : Math.min(current, total)}
      className={classNames(
        'block w-full appearance-none overflow-hidden rounded-full bg-pressed',
        '[&::-moz-progress-bar]:rounded-full [&::-webkit-progress-bar]:bg-pressed',
        '[&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:transition-[width] [&::-webkit-progress-value]:duration-300',
        thin ? 'h-1' : 'h-1.5',
        colours[tone],
      )}
    />
  )
}

const colours = {
  accent: '[&::-moz-progress-bar]:bg-accent-ink [&::-webkit-progress-value]:bg-accent-ink',
  yellow: '[&::-moz-progress-bar]:bg-yellow [&::-webkit-progress-value]:bg-yellow',
  green: '[&::-moz-progress-bar]:bg-green [&::-webkit-progress-value]:bg-green',
}
