export function saveFile(content: Blob, name: string) {
  const url = URL.createObjectURL(content)
  openFile(url, name)
  URL.revokeObjectURL(url)
}

export function openFile(url: string, name = '') {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
