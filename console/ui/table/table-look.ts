/** Of a column for which there is room on a wide screen, and in the list that a phone shows. */
export const roomyLook = 'sm:max-[1279px]:hidden'

/** Of a column that a phone does without. */
export const deskLook = 'max-sm:hidden'
