export const mute = {}
