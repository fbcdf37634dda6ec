// Calls every method of loops-go for which the service has the operation. Arguments: base address, API key, mailing list.
package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"

	loops "github.com/loops-so/loops-go"
)

const email = "ada@example.com"

// Methods of operations that the service does not have yet or that cli.test.ts drives, and Do, which is for any operation.
var later = regexp.MustCompile(`Campaign|Component|Theme|EmailMessage|Upload|Workflow|AudienceSegment|Group|Metrics|Webhook|Draft|(Create|Update|Publish)Transactional$|^Do$`)

var called = map[string]bool{}

// method notes that a method is called, and keeps to the rate limit.
func method(name string) {
	called[name] = true
	time.Sleep(110 * time.Millisecond)
}

func check(err error, holds bool, what any) {
	if err != nil || !holds {
		fmt.Printf("failed: %v %+v\n", err, what)
		os.Exit(1)
	}
}

// refused checks that an error is the service's own refusal with this text.
func refused(err error, status int, text string) {
	var refusal *loops.APIError
	ok := errors.As(err, &refusal) && refusal.StatusCode == status && strings.Contains(refusal.Message, text)
	check(nil, ok, err)
}

func main() {
	list := os.Args[3]
	client := loops.NewClient(os.Args[2], loops.WithBaseURL(os.Args[1]+"/v1"))
	lists := map[string]bool{list: true}

	method("GetAPIKey")
	key, err := client.GetAPIKey()
	check(err, key != nil && key.TeamName == "Clients", key)
	method("CreateContactProperty")
	check(client.CreateContactProperty("planName", "string"), true, nil)
	method("ListContactProperties")
	properties, err := client.ListContactProperties(true)
	check(err, len(properties) == 1 && properties[0].Key == "planName", properties)
	method("ListMailingLists")
	known, err := client.ListMailingLists()
	check(err, len(known) == 1 && known[0].ID == list, known)

	method("CreateContact")
	id, err := client.CreateContact(loops.CreateContactRequest{Email: email, UserID: "u1", FirstName: "Ada", MailingLists: lists})
	check(err, strings.HasPrefix(id, "con_"), id)
	method("CreateContact")
	_, err = client.CreateContact(loops.CreateContactRequest{Email: email})
	refused(err, 409, "A contact with this email exists.")
	method("UpdateContact")
	check(client.UpdateContact(loops.UpdateContactRequest{UserID: "u1", ContactProperties: map[string]any{"planName": "pro"}}), true, nil)
	method("UpdateContact")
	refused(client.UpdateContact(loops.UpdateContactRequest{Email: "a..b@example.com"}), 400, "email")
	method("FindContacts")
	found, err := client.FindContacts(loops.FindContactParams{UserID: "u1"})
	check(err, len(found) == 1 && found[0].Email == email && found[0].Custom["planName"] == "pro" && found[0].MailingLists[list], found)

	method("CheckContactSuppression")
	suppression, err := client.CheckContactSuppression(email, "")
	check(err, suppression != nil && suppression.IsSuppressed, suppression)
	method("RemoveContactSuppression")
	removal, err := client.RemoveContactSuppression("", "u1")
	check(err, removal != nil && removal.RemovalQuota.Remaining == 99, removal)

	event := loops.SendEventRequest{Email: email, EventName: "signedUp", EventProperties: map[string]any{"n": 1}, IdempotencyKey: "g1"}
	method("SendEvent")
	check(client.SendEvent(event), true, nil)
	method("SendEvent")
	refused(client.SendEvent(event), 409, "")
	method("ListEventPatterns")
	patterns, page, err := client.ListEventPatterns(loops.PaginationParams{PerPage: "10"})
	check(err, len(patterns) == 1 && page.TotalResults == 1 && page.NextCursor == "", patterns)
	method("GetEventPattern")
	pattern, err := client.GetEventPattern(patterns[0].ID)
	check(err, pattern != nil && pattern.EventName == "signedUp", pattern)
	method("GetEventPatternByName")
	pattern, err = client.GetEventPatternByName("signedUp")
	check(err, pattern != nil && pattern.ID == patterns[0].ID, pattern)

	mail := loops.SendTransactionalRequest{Email: email, TransactionalID: "tpl_welcome", DataVariables: map[string]any{"name": "Ada"}}
	method("SendTransactional")
	check(client.SendTransactional(mail), true, nil)
	method("SendTransactional")
	mail.TransactionalID = "tpl_none"
	check(nil, client.SendTransactional(mail) != nil, "a mail without a template was sent")
	method("ListTransactional")
	old, _, err := client.ListTransactional(loops.PaginationParams{PerPage: "10"})
	check(err, len(old) == 10, old)
	method("ListTransactionals")
	mails, err := loops.Paginate(func(cursor string) ([]loops.Transactional, *loops.Pagination, error) {
		return client.ListTransactionals(loops.PaginationParams{Cursor: cursor})
	})
	check(err, len(mails) == 10, mails)
	method("GetTransactional")
	one, err := client.GetTransactional("tpl_welcome")
	check(err, one != nil && one.ID == "tpl_welcome", one)
	method("GetDedicatedSendingIPs")
	addresses, err := client.GetDedicatedSendingIPs()
	check(err, len(addresses) == 1 && addresses[0] == "192.0.2.1", addresses)

	method("DeleteContact")
	check(client.DeleteContact("", "u1"), true, nil)
	method("DeleteContact")
	refused(client.DeleteContact("", "u1"), 404, "There is no contact")

	methods := reflect.TypeOf(client)
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		check(nil, called[name] || later.MatchString(name), "not called: "+name)
	}
	fmt.Printf("%d methods\n", len(called))
}
