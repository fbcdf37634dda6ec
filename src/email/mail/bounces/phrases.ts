const anyOf = (phrases: readonly string[]): RegExp => new RegExp(phrases.join("|"), "iu");

export const FULL = anyOf([
  "(mailbox|mail box|inbox|account|user|storage|recipient)[^.\\n]{0,40}(is |are )?(full|over ?quota)",
  "(out of|over|exceed\\w*|insufficient)[^.\\n]{0,30}(quota|storage|disk space)",
  "quota[^.\\n]{0,30}(exceed|full|reached)",
  "over ?quota|mailbox size limit",
  "postfach (ist )?(voll|überfüllt)|speicherplatz[^.\\n]{0,30}(voll|überschritten)",
  "bo[iî]te[^.\\n]{0,40}pleine|quota[^.\\n]{0,20}dépassé",
  "buz[oó]n[^.\\n]{0,30}(lleno|llena)|caixa[^.\\n]{0,40}cheia|casella[^.\\n]{0,30}piena|postvak[^.\\n]{0,20}vol\\b",
  "ящик[^.\\n]{0,30}переполнен|メールボックス[^。\\n]{0,20}(いっぱい|容量)|邮箱[^。\\n]{0,10}(已满|空间不足)",
]);

export const CONTENT = anyOf([
  "message[^.\\n]{0,30}(too (big|large)|size exceeds|exceeds[^.\\n]{0,30}(size|limit))",
  "(message|mail|maximum)[^.\\n]{0,20}size[^.\\n]{0,30}(limit|exceed)",
  "(virus|malware)|attachment[^.\\n]{0,40}(not allowed|blocked|prohibited|rejected)",
  "(message|content)[^.\\n]{0,30}(rejected|blocked)[^.\\n]{0,30}content|content (rejected|not acceptable)",
  "nachricht[^.\\n]{0,30}zu gro(ß|ss)|message trop volumineux|mensaje demasiado grande",
]);

/** A receiver rule, or the sender's reputation. */
export const POLICY = anyOf([
  "\\bspam\\b|spamhaus|\\b(block|black|deny) ?list|blocked (by|using|for|due)|\\bDNSBL\\b|\\bRBL\\b",
  "(client host|sender|\\bIP\\b|\\bIPs\\b)[^.\\n]{0,60}(blocked|denied|rejected|reputation|banned)",
  "reputation|\\b(DMARC|SPF|DKIM)\\b|(un)?authenticated (mail|email|sender)",
  "(relay(ing)?)[^.\\n]{0,20}(denied|not permitted|not allowed|access)|unable to relay",
  "policy (violation|reasons?|restrict)|violat\\w+[^.\\n]{0,30}polic|message refused by policy|prohibited by",
  "rate limit|too many (messages|connections|mails)|unsolicited",
  "restricted|not (authorized|authorised|permitted) to (send|post)|only accepts? (mail|messages)",
  "wegen spam|als spam|considéré comme spam|rechazado por spam|スパム|垃圾邮件",
]);

export const TEMPORARY = anyOf([
  "gr[ea]y-?list|try again|temporar|deferred|resources? (temporarily )?unavailable|timed? ?out|retry (time|timeout)",
  "receiving (e?mail|messages) (too|at a rate)|connection (refused|reset|lost)|vorübergehend|temporaire|temporal(mente)?|временно|一時的|暂时",
]);

export const UNKNOWN_ADDRESS = anyOf([
  "(user|mailbox|recipient|address|account|alias|local part)[^.\\n]{0,60}(unknown|not? (longer )?(exist|found|valid|known|active|available)|doe(s|sn).{1,5}exist|invalid|disabled|inactive|deactivated|unavailable)",
  "(unknown|invalid|no such|non-?existent|unrouteable|inactive|disabled|unrecogni[sz]ed)[^.\\n]{0,40}(user|mailbox|recipient|address|account|alias|local part|person|name)",
  "no mailbox (here )?by that name|not a (valid|known) (user|mailbox|recipient)|no longer (employed|works|with)",
  "\\bbad ((destination|recipient|mailbox|user) )*(address|recipient|mailbox|user)|user not local|undeliverable address",
  "doesn.t have a [\\w.-]+ account|address couldn.t be found|couldn.t be found|wasn.t found|not listed in",
  "(host|domain)[^.\\n]{0,40}(not found|does(n.t| not) exist|unknown)|name service error[^\\n]{0,80}not found",
  "(empfänger|benutzer|adresse|postfach|e-mail-adresse)[^.\\n]{0,60}(unbekannt|nicht (gefunden|vorhanden|existent)|existiert nicht|ungültig|konnte nicht gefunden)",
  "(destinataire|utilisateur|adresse|bo[iî]te)[^.\\n]{0,60}(inconnue?|n.existe pas|introuvable|invalide|inexistant)",
  "(destinatario|usuario|direcci[oó]n|buz[oó]n|cuenta)[^.\\n]{0,60}(desconocid|no existe|no (se ha|ha sido|se) (podido )?encontr|inexistente|inv[aá]lid|no v[aá]lid)",
  "(destinat[aá]rio|usu[aá]rio|endere[cç]o|caixa|conta)[^.\\n]{0,60}(desconhecid|n[aã]o existe|n[aã]o (foi )?encontrad|inexistente)",
  "(destinatario|utente|indirizzo|casella)[^.\\n]{0,60}(sconosciut|non esiste|inesistente|non (è stat[oa] )?trovat)",
  "(ontvanger|gebruiker|adres|mailbox|postvak)[^.\\n]{0,60}(onbekend|bestaat niet|niet gevonden)",
  "(пользовател|получател|адрес|ящик)[^.\\n]{0,60}(не найден|не существует|неизвест|отключен)",
  "(ユーザー?|宛先|アドレス|メールボックス)[^。\\n]{0,40}(見つかりません|存在しません|不明)",
  "(用户|收件人|地址|邮箱|帐户|账号)[^。\\n]{0,20}(不存在|未找到|找不到|无效)",
]);
