/**
 * Unsubscribe phrases by language. In transactional mail they are wrong, because mail providers treat it as
 * marketing. Ambiguous words are omitted if possible.
 */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: ["unsubscribe", "opt out of", "opt-out of", "stop receiving these emails", "stop receiving emails"],
  de: ["abbestellen", "newsletter abmelden", "vom newsletter ab", "aus dem verteiler"],
  fr: ["se désabonner", "vous désabonner", "désabonnez-vous", "me désabonner", "se désinscrire", "vous désinscrire"],
  es: ["darse de baja", "darte de baja", "date de baja", "dese de baja", "cancelar la suscripción a"],
  pt: ["descadastrar", "descadastre", "cancelar a inscrição", "cancelar inscrição", "anular a subscrição"],
  it: ["disiscriviti", "disiscriversi", "annulla l'iscrizione", "annullare l'iscrizione", "cancella l'iscrizione"],
  nl: ["uitschrijven", "schrijf je uit", "schrijf u uit"],
  sv: ["avprenumerera", "avsluta prenumerationen på"],
  da: ["afmeld nyhedsbrev", "frameld"],
  nb: ["meld deg av", "avslutt abonnementet på"],
  fi: ["peruuta uutiskirje", "peru uutiskirje"],
  pl: ["wypisz się", "wypisać się", "anuluj subskrypcję"],
  cs: ["odhlásit odběr", "odhlásit se z odběru"],
  hu: ["leiratkozás", "leiratkozom", "iratkozzon le"],
  ro: ["dezabonare", "dezabonează-te", "dezabonați-vă"],
  tr: ["abonelikten çık", "listeden çık"],
  el: ["διαγραφή από τη λίστα", "κατάργηση εγγραφής"],
  ru: ["отписаться", "отпишитесь", "отписка от"],
  uk: ["відписатися", "відпишіться"],
  ar: ["إلغاء الاشتراك"],
  he: ["הסרה מרשימת", "להסרה מרשימת", "ביטול הרשמה"],
  ja: ["配信停止", "購読を解除", "購読解除"],
  zh: ["退订", "退訂", "取消订阅", "取消訂閱"],
  ko: ["수신거부", "수신 거부"],
};

const ALL = Object.values(PHRASES).flat();

/** Returns the first unsubscribe phrase in lower case. */
export const unsubscribePhrase = (text: string): string | undefined => {
  const low = text.normalize("NFC").toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ");
  return ALL.find((phrase) => low.includes(phrase));
};
