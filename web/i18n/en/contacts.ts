export const contacts = {
  tab: 'Contacts',
  title: 'Which residues touch',
  help: 'What a protein model’s attention says of its shape: which residues lie beside each other, however far apart in the chain.',
  source:
    'Rao et al. (2020, bioRxiv 2020.12.15.422761), as Hugging Face’s ESM has it: a logistic regression over the maps of all heads, each made symmetric and less what its sums alone foretell (average product correction). Its weights are the file’s own, fitted to structures in which a contact is two residues at most 8 Å apart. The first and the last token have no part. Neighbours in the chain always lie near each other: lists leave out pairs that are less than 6 apart.',
}
