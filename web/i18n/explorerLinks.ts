// Where Read leads into the Explorer.
export const mutedPairs = '#/explorer?open=mute'
export const byDistance = '#/explorer?open=distance'
/** Another scaling, beside the model as it is. */
export const otherScaling = `#/explorer?open=compare&scaling=${encodeURIComponent('{"rope_type":"linear","factor":4}')}`
